// The look of the site: VitePress's own, with links to the playground.

import theme from 'vitepress/theme';

import './style.css';

export default theme;
