import { AccountProvider } from 'entitable/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './App';
import { opened } from './notes';
import './style.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <AccountProvider account={opened}>
      <App />
    </AccountProvider>
  </StrictMode>,
);

// The build has the worker, and a server for development has none.
if (import.meta.env.PROD) {
  navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`).catch(console.error);
}
