// cors-rule.ts - what a remote account needs of the rules of a storage account, as
// docs/guides/remote.md says.

export const CORS_RULE = {
  allowedOrigins: '*',
  allowedMethods: 'DELETE,GET,POST,PUT',
  allowedHeaders: '*',
  exposedHeaders: 'Date,ETag,Retry-After,x-ms-continuation-*,x-ms-request-id',
  maxAgeInSeconds: 3600,
};
