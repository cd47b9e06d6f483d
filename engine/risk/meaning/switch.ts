import type { MaybeJson } from '../../changes/values.ts';

const ON = new Set(
  'true,yes,on,enabled,enable,active,activated,required,require,enforced,enforce,enforcing,always,running,mandatory,allow,allowed,1'.split(
    ',',
  ),
);
const OFF = new Set(
  'false,no,off,disabled,disable,inactive,deactivated,none,never,suspended,paused,stopped,not_required,optional,unset,deny,denied,0'.split(
    ',',
  ),
);

/** Reads a switch: booleans and the words that providers write for on and off; undefined for any other value. */
export function readSwitch(value: MaybeJson): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : undefined;
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  return ON.has(word) ? true : OFF.has(word) ? false : undefined;
}
