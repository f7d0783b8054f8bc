// deno-kv.mjs - run.mjs starts it in Deno, with the path of a database. It prints the median.

import { denoKvStorage } from '../../dist/storage/deno-kv.js';
import { medianInsert } from './insert.mjs';

const kv = await Deno.openKv(Deno.args[0]);
console.log(await medianInsert(denoKvStorage(kv, 'bench')));
kv.close();
