import { expect, test } from '@jest/globals';
import { splitPath } from '../../../../../engine/risk/attributes/moves/paths.ts';

test.each([
  ['a', ['a']],
  ['a.*.b', ['a', '*', 'b']],
  ['metadata.*.annotations.[cert-manager.io/issuer]', ['metadata', '*', 'annotations', 'cert-manager.io/issuer']],
  ['config.[a.b].*.[c.d]', ['config', 'a.b', '*', 'c.d']],
])('%s has the names %j', (path, names) => expect(splitPath(path)).toEqual(names));
