/**
 * Lets the pages of the demo open without a network.
 *
 * @module
 */

/** Installs the service worker when the page has loaded. Without one, pages need the network. */
export function workOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  addEventListener('load', () => {
    navigator.serviceWorker.register('service-worker.js').catch(() => undefined);
  });
}
