import type { Category } from '../../model/result.ts';
import type { BaseAction } from '../base.ts';
import type { Kind } from '../types.ts';

/** One sentence for each cell of the base matrix: what changes, and what fails or is lost. */
export const BASE_MESSAGES: Record<BaseAction, Record<Category, string>> = {
  create: {
    other: 'Creates a new resource; existing resources are not affected.',
    network: 'Creates a network resource; existing traffic is not affected.',
    iam: 'Creates an identity, role or permission: a person or system gains access.',
    security: 'Creates a security control or setting; existing resources are not affected.',
    encryption: 'Creates a key, certificate or secret; those in use are not affected.',
    stateful: 'Creates a resource that stores data; existing data is not affected.',
  },
  update: {
    other: 'Changes settings in place; nothing is destroyed.',
    network: 'Changes a network resource in place: traffic through it may be blocked or newly allowed.',
    iam: 'Changes permissions in place.',
    security: 'Changes a security control in place: protection or monitoring may become weaker.',
    encryption: 'Changes a key, certificate or secret in place: systems that use it may fail.',
    stateful: 'Changes a resource that stores data in place.',
  },
  replace: {
    other: 'Destroys the resource and creates a new one: references to the old one break until they are updated.',
    network:
      'Destroys a network resource and creates a new one: traffic through it stops, and addresses or names may change.',
    iam: 'Destroys an identity or permission and creates a new one: access is lost until references are updated.',
    security:
      'Destroys a security control and creates a new one: protection or recording stops until the new one exists.',
    encryption: 'Destroys a key, certificate or secret and creates a new one: systems that still use the old one fail.',
    stateful: 'Destroys a resource that stores data and creates an empty one.',
  },
  delete: {
    other: 'Destroys the resource: anything that still uses it breaks.',
    network: 'Destroys a network resource: traffic or name resolution that depends on it stops.',
    iam: 'Destroys an identity or permission: people and systems that use it lose access.',
    security: 'Destroys a security control: its protection or recording stops.',
    encryption: 'Destroys a key, certificate or secret: systems that still use it fail.',
    stateful: 'Destroys a resource that stores data.',
  },
  forget: {
    other: 'Stops managing the resource; the object keeps running.',
    network: 'Stops managing the network resource; it stays in place.',
    iam: 'Stops managing the identity or permission; it stays in effect.',
    security: 'Stops managing the security control; later changes to it are not detected or reverted.',
    encryption: 'Stops managing the key, certificate or secret; it stays in place.',
    stateful: 'Stops managing the resource; its data stays in place.',
  },
  import: {
    other: 'Imports an existing object without changing it.',
    network: 'Imports an existing network resource without changing it.',
    iam: 'Imports an existing identity or permission without changing it.',
    security: 'Imports an existing security control without changing it.',
    encryption: 'Imports an existing key, certificate or secret without changing it.',
    stateful: 'Imports an existing resource that stores data without changing it.',
  },
  unknown: {
    other: 'The plan contains an unknown combination of actions; review it manually.',
    network: 'The plan contains an unknown combination of actions for a network resource; review it manually.',
    iam: 'The plan contains an unknown combination of actions for an identity or permission; review it manually.',
    security: 'The plan contains an unknown combination of actions for a security control; review it manually.',
    encryption:
      'The plan contains an unknown combination of actions for a key, certificate or secret; review it manually.',
    stateful:
      'The plan contains an unknown combination of actions for a resource that stores data; review it manually.',
  },
};

/**
 * Sentences for types with a kind. They replace the `stateful` cells and, for keys, the `encryption` cells. `secret`
 * applies to every type whose data is secrets, except keys.
 */
export const KIND_MESSAGES: Record<
  Kind | 'secret',
  { create: string; update: string; replace: string; delete: string }
> = {
  key: {
    create: 'Creates key material; keys in use are not affected.',
    update: 'Changes key material in place: a mistake makes all data encrypted with it unreadable.',
    replace:
      'Destroys key material and creates new key material: data encrypted or signed with the old key can no longer be read or verified.',
    delete: 'Destroys key material: data encrypted or signed with it can no longer be read or verified.',
  },
  container: {
    create: 'Creates a container for other resources; existing resources are not affected.',
    update: 'Changes a container of other resources in place; its contents stay.',
    replace: 'Destroys a container and everything in it, including data; the new one starts empty.',
    delete: 'Destroys a container and everything in it, including data.',
  },
  data: {
    create: 'Creates a data store; existing data is not affected.',
    update: 'Changes a data store in place: the data stays, but the store may restart or slow down briefly.',
    replace:
      'Destroys a data store and all its data, and creates an empty one; the data can be restored only from a backup.',
    delete: 'Destroys a data store and all its data; the data can be restored only from a backup.',
  },
  secret: {
    create: 'Creates a secret or a secret store; those in use are not affected.',
    update: 'Changes a secret or a secret store in place: systems that read it may fail.',
    replace:
      'Destroys a secret or a secret store and creates an empty one: systems that read it fail until it is filled again.',
    delete: 'Destroys a secret or a secret store: systems that read it fail.',
  },
  rebuildable: {
    create: 'Creates a host, queue, log or copy; existing resources are not affected.',
    update: 'Changes a host, queue, log or copy in place: it may restart.',
    replace:
      'Destroys a host, queue, log or copy and creates a new one: it is unavailable meanwhile, and data stored only there is lost.',
    delete: 'Destroys a host, queue, log or copy: its service stops, and data stored only there is lost.',
  },
  part: {
    create: 'Creates one item or setting of a data store; the rest of the store is not affected.',
    update: 'Changes one item or setting of a data store.',
    replace: 'Destroys one item or setting of a data store and creates a new one; the store itself stays.',
    delete: 'Destroys one item or setting of a data store; the store itself stays.',
  },
};
