import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { sortedSet } from './values.ts';

/** Lists of a container definition that are read by name, which the service returns in another order. */
const BY_NAME = new Set(['environment', 'secrets']);

/** Normalizes container definitions of ECS: environment variables and secrets are sets, and defaults are left out. */
export function normalizeContainers(definitions: JsonValue): JsonValue {
  return normalize(definitions, false);
}

/** Like {@link normalizeContainers}, for tasks with a network interface of their own: their ports are those of the host. */
export function normalizeTaskContainers(definitions: JsonValue): JsonValue {
  return normalize(definitions, true);
}

function normalize(definitions: JsonValue, is_awsvpc: boolean): JsonValue {
  if (!Array.isArray(definitions)) return definitions;
  return definitions.map((definition) => (isObject(definition) ? normalizeMembers(definition, is_awsvpc) : definition));
}

function normalizeMembers(definition: JsonObject, is_awsvpc: boolean): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(definition)) {
    if (isDefault(key, value)) continue;
    if (key === 'portMappings') copy[key] = normalizePorts(value, is_awsvpc);
    else copy[key] = BY_NAME.has(key) ? sortNames(value) : value;
  }
  return copy;
}

/** The service fills in empty lists, no CPU reservation, and that a container is essential. */
function isDefault(key: string, value: JsonValue): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return key !== 'command' && key !== 'entryPoint';
  return (key === 'essential' && value === true) || (key === 'cpu' && value === 0);
}

function normalizePorts(ports: JsonValue, is_awsvpc: boolean): JsonValue {
  if (!Array.isArray(ports)) return ports;
  return sortedSet(ports.map((port) => (isObject(port) ? normalizePort(port, is_awsvpc) : port)));
}

function normalizePort(port: JsonObject, is_awsvpc: boolean): JsonObject {
  const { protocol, hostPort, ...rest } = port;
  const is_same_port = is_awsvpc && (hostPort === undefined || hostPort === rest['containerPort']);
  return {
    ...rest,
    protocol: protocol ?? 'tcp',
    ...(is_same_port || hostPort === undefined || hostPort === null ? {} : { hostPort }),
  };
}

/** A name that occurs twice would make the order matter. */
function sortNames(list: JsonValue): JsonValue {
  if (!Array.isArray(list)) return list;
  const names = new Set(list.map((item) => (isObject(item) ? item['name'] : undefined)));
  return names.size === list.length && !names.has(undefined) ? sortedSet(list) : list;
}
