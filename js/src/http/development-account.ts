/**
 * The account of the emulator.
 *
 * @module
 */

/** Public, and known to every client as `UseDevelopmentStorage=true`. The key is in Base64. */
export const DEVELOPMENT_ACCOUNT: {
  readonly account: string;
  readonly baseUrl: string;
  readonly key: string;
} = {
  account: 'devstoreaccount1',
  baseUrl: 'http://127.0.0.1:10002/devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};
