import helmet from 'helmet';

/** Answers are data: nothing in them may load, frame or run. */
const API_POLICY = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/** The page of the contract runs one script of ours, which builds its styles and its search worker itself. */
const DOCS_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

export const securityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: API_POLICY },
  frameguard: { action: 'deny' },
});

export const docsSecurityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: DOCS_POLICY },
  frameguard: { action: 'deny' },
});
