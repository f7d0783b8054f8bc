// step-figures.mjs - the figures that each step measures.

export const FIGURES_OF = {
  load: ['perSecond'],
  afterLoad: ['afterLoadUs'],
  checkReads: [],
  firstRead: ['firstReadMs'],
  newPage: ['firstRangesUs', 'firstCountMs'],
  smallCache: ['smallFirstReadMs', 'smallPartitionMs', 'smallPointUs', 'smallMemoryMB'],
  points: ['pointUs', 'pointAtOnceUs'],
  ranges: ['rangeUs'],
  scans: ['filterMs', 'countMs', 'orderMs', 'groupsMs'],
  aggregates: ['extremesMs', 'totalMs'],
  readGaps: ['readAllGapMs', 'countGapMs'],
  indexed: ['indexMs', 'lookupUs', 'newestMs'],
  searches: ['unindexedSearchMs', 'wordsIndexMs', 'searchUs'],
  memory: ['pageMB', 'rendererMB', 'browserMB'],
  merges: ['mergeMs'],
  batches: ['batchMs'],
  inserts: ['insertMs', 'insertP99Ms', 'insertsMs'],
  loadGap: ['loadGapMs'],
  profile: ['shares'],
};
