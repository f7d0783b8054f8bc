import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
// attribute minified bytes to js/src sources by building straight from sources
const src = process.argv[2];
const later = { name:'later', setup({onResolve}){ onResolve({filter:/./},({kind,path})=>kind==='dynamic-import'?{path,external:true}:undefined); onResolve({filter:/^#/},({path})=>({path,external:true}));}};
const dist = { name:'d', setup({onResolve}){ onResolve({filter:/^entitable/},({path})=>({path: path==='entitable'?process.cwd()+'/js/src/index.ts':process.cwd()+'/js/src/'+path.slice(10)+'.ts'}));}};
const r = await build({ stdin:{contents:src, resolveDir:process.cwd()}, bundle:true, minify:true, format:'esm', target:'es2022', write:false, metafile:true, plugins:[later,dist], define:{'process.env.NODE_ENV':'"production"'}, external:['node:*','react','vue','svelte','solid-js','@angular/core','@tanstack/db','rxjs'], logLevel:'error'});
const o = Object.values(r.metafile.outputs)[0];
const text = r.outputFiles[0].text;
console.log('gzip', gzipSync(text,{level:9}).length/1024);
const f = Object.entries(o.inputs).map(([k,v])=>[v.bytesInOutput,k]).sort((a,b)=>b[0]-a[0]);
let by={};for(const [b,k] of f){const d=k.split('/').slice(0,3).join('/');by[d]=(by[d]??0)+b;}
console.log(by);
for(const x of f.filter(x=>x[0]>(+process.argv[3]||300))) console.log(...x);
