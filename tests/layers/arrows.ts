// arrows.ts - who includes or imports whom, and which of it is not allowed.

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** One include or import: the file that says it, and the file that it names. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** A layer is named by the files in it and lists the layers that it may use beside itself. */
export interface Layer {
  readonly name: string;
  readonly files: RegExp;
  readonly uses: readonly string[];
}

/** The arrows that the table does not allow, each as a line for people. */
export function forbiddenArrows(arrows: readonly Arrow[], table: readonly Layer[]): string[] {
  const layerOf = (file: string) => table.find((layer) => layer.files.test(file));
  return arrows
    .filter(({ from, to }) => {
      const [source, target] = [layerOf(from), layerOf(to)];
      if (!source || !target) return true; // A file outside of the table has no layer.
      return source !== target && !source.uses.includes(target.name);
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

/** All files under a folder whose names end in one of `endings`. */
export function filesUnder(folder: string, endings: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .map((name) => join(folder, name));
}

/**
 * The includes of a C++ file, quoted or not, as paths from the top of the work tree.
 * Headers of the system, which have no dot in their names, are left out.
 */
export function includesOf(file: string, text = readFileSync(file, 'utf8')): Arrow[] {
  return [...text.matchAll(/^\s*#\s*include\s*["<]([^">]*\.[^">]*)[">]/gm)].map(
    ([, name = '']) => ({
      from: file,
      to: resolveInclude(file, name),
    }),
  );
}

function resolveInclude(file: string, name: string): string {
  if (name.startsWith('entitable/')) return `core/include/${name}`;
  if (/^(simdjson|emscripten)\b/.test(name)) return name;
  return file.startsWith('core/') ? `core/src/${name}` : join(dirname(file), name);
}

/** The imports and re-exports of a TypeScript file, static and dynamic, types included. */
export function importsOf(file: string, text = readFileSync(file, 'utf8')): Arrow[] {
  const specifiers = /(?<![-'"])\b(?:from|import\s*\(?)\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(specifiers)].map(([, name = '']) => ({
    from: file,
    to: name.startsWith('.') ? posix.join(dirname(file), name).replace(/\.js$/, '.ts') : name,
  }));
}

/** The circles of arrows: groups of files that all lead to one another. */
export function circlesIn(arrows: readonly Arrow[]): string[][] {
  const targets = new Map<string, Arrow[]>();
  for (const arrow of arrows) targets.set(arrow.from, [...(targets.get(arrow.from) ?? []), arrow]);
  const reachedFrom = (start: string) => {
    const reached = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const { to } of targets.get(file) ?? []) {
        if (reached.has(to)) continue;
        reached.add(to);
        open.push(to);
      }
    }
    return reached;
  };
  const reach = new Map([...targets.keys()].map((file) => [file, reachedFrom(file)]));
  const isOnCircle = (file: string) => reach.get(file)!.has(file);
  const circleOf = (file: string) =>
    [...reach.get(file)!].filter((other) => reach.get(other)?.has(file)).sort();
  const circles = [...reach.keys()].filter(isOnCircle).map(circleOf);
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}
