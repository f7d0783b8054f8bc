/**
 * The service worker of the demo: its pages open without a network.
 *
 * A new version of the demo comes in the background, and is shown when no page of the old one is
 * open any more. So no page ever loads parts of two versions.
 *
 * @module
 */

import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/** The files of the demo but the samples; the build inserts them. */
declare const FILES: PrecacheEntry[];

clientsClaim();
cleanupOutdatedCaches();
// What follows the ? only tells the page how to run.
precacheAndRoute(FILES, { ignoreURLParametersMatching: [/./] });

// Samples are large. The first use stores them.
const isSample = ({ url }: { url: URL }) => /\/assets\/[^/]+\.json$/.test(url.pathname);
registerRoute(isSample, new CacheFirst({ cacheName: 'samples' }));
