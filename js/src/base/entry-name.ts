/**
 * The entries of the package that browsers can load.
 *
 * `scripts/generate-entries.mjs` writes this file.
 *
 * @module
 */

/** The entries that do not need Node: `entitable/http`, say. */
export type EntryName =
  | 'entitable'
  | 'entitable/inline'
  | 'entitable/archive'
  | 'entitable/recovery'
  | 'entitable/recovery/inline'
  | 'entitable/remote'
  | 'entitable/schema'
  | 'entitable/forms'
  | 'entitable/forms/messages/de'
  | 'entitable/forms/messages/en'
  | 'entitable/forms/messages/es'
  | 'entitable/forms/messages/fr'
  | 'entitable/forms/messages/it'
  | 'entitable/forms/messages/ja'
  | 'entitable/forms/messages/ko'
  | 'entitable/forms/messages/nl'
  | 'entitable/forms/messages/th'
  | 'entitable/forms/messages/zh'
  | 'entitable/service-worker'
  | 'entitable/http'
  | 'entitable/explorer'
  | 'entitable/sync'
  | 'entitable/sync/inline'
  | 'entitable/worker'
  | 'entitable/migrate/dexie'
  | 'entitable/angular'
  | 'entitable/react'
  | 'entitable/solid'
  | 'entitable/svelte'
  | 'entitable/tanstack-db'
  | 'entitable/vue'
  | 'entitable/storage/encrypted'
  | 'entitable/storage/indexeddb'
  | 'entitable/storage/max-value-bytes'
  | 'entitable/storage/memory'
  | 'entitable/storage/opfs'
  | 'entitable/storage/persistence'
  | 'entitable/storage/postgres';
