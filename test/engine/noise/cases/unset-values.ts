/** Values that are null on one side, of providers that nobody knows. */
import { noise, twin } from './build-case.ts';

export const UNSET_VALUE_CASES = [
  noise('null and an empty text', 'acme_site', { homepage: null }, { homepage: '' }),
  noise('null and an empty list', 'acme_site', { aliases: null }, { aliases: [] }),
  noise('null and an empty map', 'acme_site', { headers: null }, { headers: {} }),
  noise('an empty list and null', 'acme_site', { aliases: [] }, { aliases: null }),
  noise('null and an empty text in a block', 'acme_site', { cache: [{ prefix: null }] }, { cache: [{ prefix: '' }] }),
  noise(
    'the false that is in effect',
    'acme_site',
    { compress: null, effective_compress: false },
    { compress: false, effective_compress: false },
  ),
  noise('the zero that is in effect', 'acme_pool', { burst: null, burst_actual: 0 }, { burst: 0, burst_actual: 0 }),
  noise(
    'the text that is in effect, in a block',
    'acme_pool',
    { zone: [{ tier: null, computed_tier: 'eu' }] },
    { zone: [{ tier: 'eu', computed_tier: 'eu' }] },
  ),

  twin('false is not null', 'acme_site', { compress: null }, { compress: false }),
  twin('zero is not null', 'acme_pool', { burst: null }, { burst: 0 }),
  twin('null is not false', 'acme_site', { protected: false }, { protected: null }),
  twin('null is not zero', 'acme_pool', { min_size: 0 }, { min_size: null }),
  twin(
    'another value is in effect',
    'acme_site',
    { compress: null, effective_compress: true },
    { compress: false, effective_compress: true },
  ),
  twin(
    'the value in effect changes',
    'acme_site',
    { compress: null, effective_compress: true },
    { compress: false, effective_compress: false },
  ),
  twin(
    'the value in effect becomes unknown',
    'acme_site',
    { compress: null, effective_compress: false },
    { compress: false },
    { unknown: { effective_compress: true } },
  ),
  twin(
    'a setting is given up, and its old effect is shown until apply',
    'acme_site',
    { protected: true, effective_protected: true },
    { protected: null, effective_protected: true },
  ),
  twin(
    'keys of a map that users choose',
    'acme_site',
    { labels: { effective_a: 'x' } },
    { labels: { a: 'x', effective_a: 'x' } },
  ),
  twin('a value of another type', 'acme_pool', { burst: null, burst_actual: '0' }, { burst: 0, burst_actual: '0' }),
  twin('an empty text in a map', 'acme_site', { variables: {} }, { variables: { DEBUG: '' } }),
  twin('a list with an empty item', 'acme_site', { aliases: null }, { aliases: [''] }),
  twin('an empty text that is unknown', 'acme_site', { homepage: null }, {}, { unknown: { homepage: true } }),
  twin(
    'a secret',
    'acme_site',
    { pin: null, effective_pin: '0' },
    { pin: '0', effective_pin: '0' },
    { change: { after_sensitive: { pin: true } } },
  ),
];
