// method.mjs - the text about the method of the measurements.

export const METHOD = {
  cells: `Each cell is the median over the rounds. In brackets: how many times better than \`idb\` in the same
round (the median of the rounds; below 1 is worse).`,

  work: `## How it was measured

- **Entities**: 8 properties beside the keys (three texts, Int32, Double, Boolean, Int64, DateTime),
  about 280 bytes as JSON, in 100 partitions. They arrive interleaved over the partitions. In
  Entitable they have the service's own types. The others keep Int64 and DateTime as text, which
  costs them less.
- **Rounds**: in each, one engine after another in a fresh browser with a fresh profile on disk. So
  other work of the machine falls on all alike. A million entities have one round.
- **Durability**: that of IndexedDB's \`relaxed\` for all. A write survives the process, not a power
  cut (SQLite: \`synchronous=NORMAL\`).
- **Where it runs**: in the page. \`sqlite\` and \`opfs\` run in a worker together with the app, because
  OPFS wants that. So no call of theirs crosses threads. With \`worker\` and \`worker-opfs\` the app is
  in the page, and the account in a [worker](../guides/worker.md). So every call crosses threads,
  and the page has only the work of the app.
- **Frame gap**: the longest time between two frames of the page, which asks for every frame. A
  browser shows 60 frames a second, so 17 ms means that none is late. Each work begins right after a
  frame, in a step of its own: asking for frames costs time, and would slow down the other rows. The
  load goes into a second store, from a new page. \`map\` loads again in its page. \`sqlite\` and \`opfs\`
  have no such rows, because their page does nothing. All entities are read as objects: with
  \`for await\` in Entitable, by partition in \`idb\`, with \`toArray()\` in \`dexie\`. Reads and counts are
  repeated for a second, each in a task of its own.
- **Right answers**: a sample of points, a range, the filter, the count, the sums, the results of
  searches and the read of all entities are compared with what was loaded. At the end come a second
  insert of a key, a merge, and a batch that must fail as a whole. An engine that is wrong has
  failed.
- **Rest**: one row reads right after the load. Then each engine except \`map\` rests, 5 s for every
  100,000 entities. Entitable and IndexedDB sort in that time what was loaded. Engines rest as long
  after the load into the second store, and after indexes are built or removed; 5 s after
  merge-updates, batches and inserts. A table without the row *point read, right after the load* is
  older, and was measured without rests.
- **Warm**: others of their kind come before the measured reads: one call, and more as long as they
  fit into two seconds. Browsers first run code slowly, and later compile what runs often for speed.
  Points that are issued a hundred at once follow the single ones; a filter goes before both. Not
  warm are the point reads right after the load and those with a small cache. The page cache of
  Entitable has its default size.
- **New web page**: two rows show the code before it is compiled. The store is closed, and opened in
  a new page; then come 100 ranges, and a count. A table without these rows is older. There, a few
  calls went before each kind of read: 500 points or ranges, three of each scan.
- **First read**: from the first import to the first entity. Code and module come from the browser's
  cache. The page of each engine preloads the files that it needs, as the
  [guide](../guides/bundlers.md#a-fast-first-read) recommends; a worker loads its own. The store
  is closed before. The median of five pages.
- **Merge-updates** overwrite an Int32 and a text of the same length. \`idb\`, \`dexie\` and \`sqlite\` do
  all 100 in one transaction. Entitable's API has only transactions of one partition, so there they
  are issued at once and share a commit.
- **Searches** are for the first name of a random entity and the first three letters of its last
  name, and return the best 20. \`sqlite\` has an FTS5 table of the names and the keys.
- **Indexes** are built for the rows that need them, and then removed. So they slow down no other
  row. In the table of 1,000,000, the reads by an index came right after it was built, without a
  rest, and searches were those of an older core.
- **\`limit\`** stores once more, batch by batch, what Entitable has stored for the same work: its log
  records and its pages. No core could save what IndexedDB takes for that, unless it stored less.
- **Loops**: a loop stops after 3 s. A loop for a median makes at least three calls. Older figures
  are from loops of 15 s: all those in a table without frame gaps.`,
};
