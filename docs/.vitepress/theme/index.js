// The look of the site: VitePress's own, with links to the playground, and a landmark in each page.

import { inBrowser } from 'vitepress';
import theme from 'vitepress/theme';

import './style.css';

/** Pages that are no document, such as the first one, have no `main` of their own. */
function markMain() {
  const content = document.querySelector('#VPContent');
  if (content?.querySelector('main')) content.removeAttribute('role');
  else content?.setAttribute('role', 'main');
}

export default {
  extends: theme,
  enhanceApp({ router }) {
    // Once the new page is drawn; the build draws pages, too.
    if (!inBrowser) return;
    router.onAfterRouteChange = () => {
      requestAnimationFrame(markMain);
    };
  },
};
