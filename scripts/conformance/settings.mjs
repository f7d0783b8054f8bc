// settings.mjs - section 7.13: access policies and service properties as XML, and CORS.

import { TABLE, createTable, get, put } from './steps.mjs';

const T = [createTable()];
const ACL = `/${TABLE}?comp=acl`;
const PROPERTIES = '/?restype=service&comp=properties';
const START = '\ufeff<?xml version="1.0" encoding="utf-8"?>';
const XML = { 'Content-Type': 'application/xml' };

// ------------------------------------------------------------------- policies

const policy = (id, content = '') =>
  `<SignedIdentifier><Id>${id}</Id>${content}</SignedIdentifier>`;
const policies = (...all) => `<SignedIdentifiers>${all.join('')}</SignedIdentifiers>`;
const access = (start, expiry) =>
  `<AccessPolicy><Start>${start}</Start><Expiry>${expiry}</Expiry><Permission>r</Permission></AccessPolicy>`;
const setPolicies = (text, expect = { status: 204 }) => put(ACL, text, expect, XML);
const hasPolicies = (text) =>
  get(ACL, {
    status: 200,
    body: START + text,
    headers: { 'Content-Type': 'application/xml' },
  });
const NO_POLICIES = '<SignedIdentifiers />';

// ----------------------------------------------------------------- properties

const properties = (content) => `<StorageServiceProperties>${content}</StorageServiceProperties>`;
const setProperties = (content, expect = { status: 202 }) =>
  put(PROPERTIES, properties(content), expect, XML);
const RETENTION_OFF = '<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>';
const LOGGING = `<Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>${RETENTION_OFF}</Logging>`;
const metrics = (name) =>
  `<${name}><Version>1.0</Version><Enabled>false</Enabled>${RETENTION_OFF}</${name}>`;
const kept = (days) =>
  `<HourMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy><Enabled>true</Enabled><Days>${days}</Days></RetentionPolicy></HourMetrics>`;
const cors = (...rules) => `<Cors>${rules.join('')}</Cors>`;
const rule = (origin = 'https://a.example') =>
  `<CorsRule><AllowedMethods>GET</AllowedMethods><AllowedOrigins>${origin}</AllowedOrigins>` +
  '<AllowedHeaders>x-ms-*</AllowedHeaders><ExposedHeaders>x-ms-*</ExposedHeaders>' +
  '<MaxAgeInSeconds>60</MaxAgeInSeconds></CorsRule>';
const repeated = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// ----------------------------------------------------------------------- CORS

const ONE_RULE = [...T, setProperties(cors(rule()))];
const preflight = (expect, { origin = 'https://a.example', method = 'GET', headers }) => ({
  send: {
    method: 'OPTIONS',
    target: `/${TABLE}`,
    headers: {
      ...(origin && { Origin: origin }),
      'Access-Control-Request-Method': method,
      ...(headers && { 'Access-Control-Request-Headers': headers }),
    },
  },
  expect,
});
const fromPage = (expect, origin = 'https://a.example') =>
  get(`/${TABLE}()`, { status: 200, ...expect }, { Origin: origin });
const NO_CORS = {
  'Access-Control-Allow-Origin': null,
  'Access-Control-Allow-Methods': null,
  'Access-Control-Expose-Headers': null,
  Vary: null,
};

export const SETTINGS = {
  516: () => [...T, hasPolicies(NO_POLICIES)],
  517: () => [
    ...T,
    setPolicies(policies(policy('a', access('2011-10-11', '2011-10-12')))),
    hasPolicies(
      policies(policy('a', access('2011-10-11T00:00:00.0000000Z', '2011-10-12T00:00:00.0000000Z'))),
    ),
  ],
  518: () => [...T, setPolicies(policies(policy('a'))), hasPolicies(policies(policy('a')))],
  519: () => [
    ...T,
    setPolicies(policies(policy('a'))),
    setPolicies(NO_POLICIES),
    hasPolicies(NO_POLICIES),
  ],
  520: (row) => [
    ...T,
    setPolicies(policies(...repeated(6, (i) => policy(`p${i}`))), { ...row.outcome, form: 'xml' }),
    hasPolicies(NO_POLICIES),
  ],
  521: (row) => [
    ...T,
    setPolicies(policies(policy('{{65*i}}')), {
      ...row.outcome,
      code: 'InvalidXmlDocument',
      form: 'xml',
    }),
    setPolicies(policies(policy('{{64*i}}'))),
  ],
  522: (row) => [get('/Nope?comp=acl', { ...row.outcome, form: 'xml' })],
  523: () => [
    get(PROPERTIES, {
      status: 200,
      headers: { 'Content-Type': 'application/xml' },
      body:
        START +
        properties(
          `${LOGGING}${metrics('HourMetrics')}${metrics('MinuteMetrics')}{{any}}Cors{{any}}`,
        ),
    }),
  ],
  524: () => [
    setProperties(cors(rule())),
    get(PROPERTIES, { status: 200, has: [LOGGING, '<AllowedOrigins>https://a.example<'] }),
  ],
  525: (row) => [
    setProperties(cors(...repeated(6, (i) => rule(`https://a${i}.example`))), {
      ...row.outcome,
      form: 'xml',
    }),
  ],
  526: (row) => [setProperties(kept(366), { ...row.outcome, form: 'xml' })],
  527: () => [
    setProperties(kept(365)),
    get(PROPERTIES, { status: 200, has: ['<Days>365</Days>'] }),
  ],
  528: () => [
    ...ONE_RULE,
    preflight(
      {
        status: 200,
        headers: {
          'Access-Control-Allow-Origin': 'https://a.example',
          'Access-Control-Allow-Methods': 'GET',
          'Access-Control-Allow-Headers': 'x-ms-date',
          'Access-Control-Max-Age': '60',
        },
      },
      { headers: 'x-ms-date' },
    ),
  ],
  529: (row) => [...ONE_RULE, preflight(row.outcome, { method: 'PUT', headers: 'x-ms-date' })],
  530: (row) => [...ONE_RULE, preflight(row.outcome, { headers: 'content-type' })],
  531: (row) => [...ONE_RULE, preflight(row.outcome, { origin: '' })],
  532: () => [
    ...ONE_RULE,
    fromPage({
      headers: { 'Access-Control-Allow-Origin': 'https://a.example', Vary: 'Origin' },
    }),
  ],
  533: () => [
    ...T,
    setProperties(cors(rule('*'))),
    fromPage(
      { headers: { 'Access-Control-Allow-Origin': '*', Vary: null } },
      'https://any.example',
    ),
  ],
  534: () => [...T, fromPage({ headers: NO_CORS })],
};
