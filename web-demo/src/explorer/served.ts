/**
 * The explorer that `entitable serve --explorer` serves: of an account at the same origin.
 *
 * @module
 */

import { DEVELOPMENT_ACCOUNT } from '../../../js/src/http/development-account.js';
import connectStyles from '../../styles/connect.css?raw';
import connect from '../remote/connect.html?raw';
import { RemotePage } from '../remote/remote-page.js';
import { make } from '../ui/dom.js';
import { addExplorer, addMarkup } from './elements.js';
import { adoptStyles } from './styles.js';

const factOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name=entitable-${name}]`)!.content;

const account = factOf('account');
const url = `${location.origin}/${account}`;

const main = make('main', { id: 'content', tabindex: '-1' });
document.body.append(
  make('header', { class: 'top' }, make('h1', {}, make('span', {}, `Tables of ${account}`))),
  main,
);
adoptStyles(connectStyles);
addMarkup(main, connect);
addExplorer(main);

const page = new RemotePage(url);
const access = factOf('access');
// The key of the emulator is public, and the server gives no other one to a page.
if (access === 'development') page.open({ url, account, key: DEVELOPMENT_ACCOUNT.key });
if (access === 'anonymous') page.open({ url });
