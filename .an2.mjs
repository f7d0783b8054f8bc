// prints scripts of sources
import { readFileSync } from 'node:fs';
let s = readFileSync('scripts/build-js.mjs','utf8').replace(/export function buildJs/,'export async function plan(){ esbuild = await import("esbuild"); const imports=await readImports(ROOTS); const scripts=scriptsOf(imports); return {imports,scripts}; }\nexport function buildJs');
import { writeFileSync, unlinkSync } from 'node:fs';
writeFileSync('scripts/.plan.mjs', s);
const { plan } = await import('./scripts/.plan.mjs');
unlinkSync('scripts/.plan.mjs');
const { imports, scripts } = await plan();
const by = new Map();
for (const [src, sc] of scripts) { if(!by.has(sc)) by.set(sc, []); by.get(sc).push(src); }
console.log('scripts', by.size);
const deps = new Map();
for (const [src, {now}] of imports) for (const n of now) { const a=scripts.get(src), b=scripts.get(n); if (a&&b&&a!==b) { if(!deps.has(a)) deps.set(a,new Set()); deps.get(a).add(b);} }
// cycles
const state=new Map(); const path=[];
function visit(n){ state.set(n,1); path.push(n); for(const m of deps.get(n)??[]){ if(state.get(m)===1) console.log('CYCLE', path.slice(path.indexOf(m)).concat(m).join(' -> ')); else if(!state.has(m)) visit(m);} path.pop(); state.set(n,2);}
for(const n of by.keys()) if(!state.has(n)) visit(n);
for (const k of process.argv.slice(2)) console.log(k, (by.get(k)??[]).join(' '), '| deps', [...(deps.get(k)??[])].join(' '));
console.log([...by.keys()].join(' '));
