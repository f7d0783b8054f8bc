// navigating.ts - navigates an actor, and starts its workers.

let shown: { readonly persisted: boolean } | undefined;
globalThis.addEventListener?.('pageshow', (event) => (shown = event as PageTransitionEvent));

export const navigating = {
  /** Starts a worker as the actor of that name. */
  startWorker(name: string): void {
    new Worker(`/actor.js?actor=${name}`);
  },

  /** Starts a service worker as the actor of that name. */
  async startServiceWorker(name: string): Promise<void> {
    await navigator.serviceWorker.register(`/actor.js?actor=${name}`);
  },

  /** Navigates the tab to another page, which is the actor of that name. */
  leaveFor(name: string): void {
    setTimeout(() => self.location.assign(`/?actor=${name}`));
  },

  goBack(): void {
    setTimeout(() => history.back());
  },

  /** Whether the page came from the back/forward cache when it was last shown. */
  cameBack: (): boolean => shown?.persisted === true,
};
