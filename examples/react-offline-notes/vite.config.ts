import react from '@vitejs/plugin-react';
import { entitable } from 'entitable/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // `offline` adds sw.js to the build: the service worker that keeps the files of the app.
  plugins: [react(), entitable({ worker: false, offline: true })],
});
