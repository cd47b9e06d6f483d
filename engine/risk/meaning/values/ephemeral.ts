/** Lists of what is left out that gain only things which nobody needs later. */
import type { MaybeJson } from '../../../changes/values.ts';
import { list, text } from '../../attributes/values.ts';

const EPHEMERAL =
  /^(?:\*{0,2}\/)?\.{0,2}\/?(?:events(?:\.events\.k8s\.io)?|endpoints|endpointslices(?:\.discovery\.k8s\.io)?|leases(?:\.coordination\.k8s\.io)?|nodes\.metrics\.k8s\.io|pods\.metrics\.k8s\.io|node_modules|\.git|\.cache|cache|caches|tmp|temp|\.terraform|__pycache__|thumbs\.db|\.DS_Store|lost\+found|\*\.(?:tmp|swp|bak|pyc|cache))(?:\/\*{0,2})?$/i;
const MAX_ENTRIES = 500;

/** Whether a list gains entries, loses none, and each new one names what is only temporary. */
export function gainsOnlyEphemeral(before: MaybeJson, after: MaybeJson): boolean {
  const [was, is] = [before, after].map((side) => new Set(list(side).slice(0, MAX_ENTRIES).map(text)));
  const gained = [...is!].filter((entry) => !was!.has(entry));
  return (
    gained.length > 0 && gained.every((entry) => EPHEMERAL.test(entry)) && [...was!].every((entry) => is!.has(entry))
  );
}
