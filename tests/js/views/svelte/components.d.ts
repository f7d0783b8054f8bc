// components.d.ts - what the compiler of Svelte makes of the components in this folder.

declare module '*.svelte' {
  import type { Component } from 'svelte';

  const component: Component<object, { set(props: object): void }>;
  export default component;
}
