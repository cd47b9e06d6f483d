import type { Category } from '../../result.ts';
import type { BaseAction } from '../base.ts';
import type { Kind } from '../types.ts';

/** One plain sentence for each cell of the base matrix: what is touched, and what is lost if it goes wrong. */
export const BASE_MESSAGES: Record<BaseAction, Record<Category, string>> = {
  create: {
    other: 'Creates something new; nothing that exists is touched.',
    network: 'Creates a network resource; traffic that flows today is not touched.',
    iam: 'Creates an identity, role or permission: someone or something gains access.',
    security: 'Creates a security control or setting; nothing that exists is touched.',
    encryption: 'Creates a key, certificate or secret; those in use are not touched.',
    stateful: 'Creates a place for data; data that exists is not touched.',
  },
  update: {
    other: 'Changes settings in place; nothing is destroyed.',
    network: 'Changes a network resource in place: traffic that passes through it may be cut off or let in.',
    iam: 'Changes in place who may do what.',
    security: 'Changes a security control in place: protection or monitoring may differ afterwards.',
    encryption: 'Changes a key, certificate or secret in place: whatever uses it has to cope.',
    stateful: 'Changes a resource that holds data in place.',
  },
  replace: {
    other:
      'Destroys this and creates it anew, with a new identity: whatever refers to the old one breaks until it follows.',
    network:
      'Destroys a network resource and creates it anew: traffic through it stops, and addresses or names may change.',
    iam: 'Destroys an identity or permission and creates it anew: access through it is lost until everything refers to the new one.',
    security: 'Destroys a security control and creates it anew: what it protects or records is uncovered meanwhile.',
    encryption: 'Destroys a key, certificate or secret and creates another: whatever still uses the old one fails.',
    stateful: 'Destroys a resource that holds data and creates an empty one.',
  },
  delete: {
    other: 'Destroys this: whatever still uses it breaks.',
    network: 'Destroys a network resource: traffic or name resolution that depends on it stops.',
    iam: 'Destroys an identity or permission: everyone and everything that works through it loses access.',
    security: 'Destroys a security control: what it protected or recorded is uncovered from now on.',
    encryption: 'Destroys a key, certificate or secret: whatever still uses it fails.',
    stateful: 'Destroys a resource that holds data.',
  },
  forget: {
    other: 'Leaves the object running but no longer manages it.',
    network: 'Leaves the network resource in place but no longer manages it.',
    iam: 'Leaves the identity or permission in force, but nobody reviews or revokes it here any more.',
    security: 'Leaves the security control in place but no longer keeps it as it should be.',
    encryption: 'Leaves the key, certificate or secret in place but no longer looks after it.',
    stateful: 'Leaves the data where it is but no longer manages it.',
  },
  import: {
    other: 'Takes over an object that exists; nothing about it changes.',
    network: 'Takes over a network resource that exists; nothing about it changes.',
    iam: 'Takes over an identity or permission that exists; nothing about it changes.',
    security: 'Takes over a security control that exists; nothing about it changes.',
    encryption: 'Takes over a key, certificate or secret that exists; nothing about it changes.',
    stateful: 'Takes over a resource that holds data; nothing about it changes.',
  },
  unknown: {
    other: 'The plan asks for a combination of actions that is not known here; look at it by hand.',
    network: 'The plan asks an unknown combination of actions of a network resource; look at it by hand.',
    iam: 'The plan asks an unknown combination of actions of an identity or permission; look at it by hand.',
    security: 'The plan asks an unknown combination of actions of a security control; look at it by hand.',
    encryption: 'The plan asks an unknown combination of actions of a key, certificate or secret; look at it by hand.',
    stateful: 'The plan asks an unknown combination of actions of a resource that holds data; look at it by hand.',
  },
};

/**
 * The same for types with a kind, in place of the `stateful` (and, for keys, `encryption`) cells. `secret` speaks for
 * every kind of type whose data is secrets.
 */
export const KIND_MESSAGES: Record<
  Kind | 'secret',
  { create: string; update: string; replace: string; delete: string }
> = {
  key: {
    create: 'Creates key material; keys in use are not touched.',
    update: 'Changes key material in place: a mistake locks out everything that is encrypted with it.',
    replace:
      'Destroys key material and creates another: what was encrypted or signed with the old key can no longer be read or trusted.',
    delete: 'Destroys key material: what was encrypted or signed with it can no longer be read or trusted.',
  },
  container: {
    create: 'Creates a container for other resources; nothing that exists is touched.',
    update: 'Changes a container of other resources in place; what it holds stays.',
    replace: 'Destroys a container with everything inside it, data included; the new one starts empty.',
    delete: 'Destroys a container with everything inside it, data included.',
  },
  data: {
    create: 'Creates a data store; data that exists is not touched.',
    update: 'Changes a data store in place: the data stays, a restart or a spell of slowness may follow.',
    replace:
      'Destroys a data store with everything it holds and creates an empty one; only a backup brings the content back.',
    delete: 'Destroys a data store with everything it holds; only a backup brings the content back.',
  },
  secret: {
    create: 'Creates a secret or a store of secrets; those in use are not touched.',
    update: 'Changes a secret, or a store of secrets, in place: whatever reads it has to cope.',
    replace:
      'Destroys a secret, or a store of secrets, and creates an empty one: whatever reads it fails until it is filled again.',
    delete: 'Destroys a secret, or a store of secrets: whatever reads it fails.',
  },
  rebuildable: {
    create: 'Creates a host, queue, log or copy; nothing that exists is touched.',
    update: 'Changes a host, queue, log or copy in place: it may restart.',
    replace: 'Destroys a host, queue, log or copy and creates it anew: an outage, and what lay only on it is lost.',
    delete: 'Destroys a host, queue, log or copy: what it served stops, and what lay only on it is lost.',
  },
  part: {
    create: 'Creates one item, or a setting beside the data; the rest is not touched.',
    update: 'Changes one item, or a setting beside the data.',
    replace: 'Destroys one item, or a setting beside the data, and creates it anew; the store itself stays.',
    delete: 'Destroys one item, or a setting beside the data; the store itself stays.',
  },
};
