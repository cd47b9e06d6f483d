/** Names of tags, labels and annotations that record which run wrote them, or when. */
import { memoizeText } from '../lib/memoize.ts';

/** What values a stamp with this name may have. */
export interface StampName {
  /** Which run or commit wrote it. */
  run: boolean;
  /** When it was written. */
  time: boolean;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** A run or its source. One of these words is enough. */
const RUNS = words(
  'build run pipeline commit sha revision rev buildnumber buildid runid gitsha githash gitcommit commitsha commitid',
);
/** Where a run takes place, or what it does. Needs a qualifier: `job_id`. */
const PLACES = words(
  `git vcs scm job workflow deploy deployment apply terraform tofu opentofu hcp tfc actions
  jenkins gitlab github circleci buildkite atlantis spacelift teamcity`,
);
const QUALIFIERS = words('id number num no nr hash');
const NEUTRAL = words('last latest current short full attempt iteration ci cd tf');
/** What was done. Unlike `deploy_at`, `deployed_at` cannot be an instruction for later. */
const DONE = words(
  'built deployed applied updated modified provisioned generated refreshed synced rendered created committed pushed planned changed',
);
const CLOCKS = words('time timestamp date');
const PREPOSITIONS = words('at on utc');
const KNOWN = [RUNS, PLACES, QUALIFIERS, NEUTRAL, DONE, CLOCKS, PREPOSITIONS];

/** Every stamp name contains one of these texts. None contains another. */
export const STAMP_TEXTS: readonly string[] = [...RUNS, ...PLACES, ...DONE].filter(
  (word, _, all) => !all.some((other) => other !== word && word.includes(other)),
);

/** Domains of software that reads keys of its own from any object. `app.kubernetes.io` only describes. */
const READERS =
  /(?:^|\.)(?:kubernetes\.io|k8s\.io|x-k8s\.io|istio\.io|linkerd\.io|knative\.dev|argoproj\.io|fluxcd\.io|weave\.works|keda\.sh|keel\.sh|helm\.sh|openshift\.io|kpack\.io|tekton\.dev|crossplane\.io|upbound\.io|cert-manager\.io|kyverno\.io|gatekeeper\.sh|velero\.io|cilium\.io|projectcalico\.org|traefik\.io|konghq\.com|haproxy\.org|nginx\.org|getambassador\.io|solo\.io|stakater\.com|spinnaker\.io|external-secrets\.io|rancher\.io|cattle\.io|run\.ai|spotinst\.io|datadoghq\.com|hashicorp\.com|pulumi\.com|github\.com|gitlab\.com|google\.com|googleapis\.com|gke\.io|azure\.com|microsoft\.com|amazonaws\.com|amazon\.com|eks\.io)$/;
const DESCRIPTIVE = 'app.kubernetes.io';

/**
 * What kind of stamp a key names; null for any other key. All words of the name must be known, so a word such as
 * `image`, `backup` or `until` makes it another key.
 *
 * @param key a whole key, such as `git_sha`, `LastDeployed` or `ci.example.com/build`
 */
export const readStampName: (key: string) => StampName | null = memoizeText((key) => {
  const slash = key.lastIndexOf('/');
  const prefix = key.slice(0, Math.max(0, slash)).toLowerCase();
  if (prefix !== DESCRIPTIVE && READERS.test(prefix)) return null;
  return classifyWords(splitWords(key.slice(slash + 1)));
});

/** Words of a name in lowercase: `LastDeployed` and `last-deployed` have the same ones. */
function splitWords(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z0-9]/).filter((word) => word !== '');
}

function classifyWords(name: readonly string[]): StampName | null {
  const has = (set: ReadonlySet<string>) => name.some((word) => set.has(word));
  if (!name.every((word) => KNOWN.some((set) => set.has(word)))) return null;
  const subject = has(RUNS) || has(PLACES);
  const dated = has(CLOCKS) || has(PREPOSITIONS);
  const recent = name.some((word) => word === 'last' || word === 'latest');
  const run = !dated && (has(RUNS) || (has(PLACES) && has(QUALIFIERS)));
  const time = has(DONE) || (subject && (recent || (has(CLOCKS) && !has(PREPOSITIONS))));
  return run || time ? { run, time } : null;
}

/** Words of keys that tell a janitor, a scheduler or a person when to act. */
const INSTRUCTIONS = words(
  `expire expires expired expiry expiration until after before ttl deadline due delete deletion destroy remove
  stop start shutdown schedule scheduled next renew renewal valid validity retain retention keep review end ends
  begin begins window rotate rotation snooze hold backup restore not maintenance patch reboot terminate`,
);

/** Whether the time in a tag may be an instruction, such as `expires_at`. */
export function namesInstruction(key: string): boolean {
  return splitWords(key).some((word) => INSTRUCTIONS.has(word));
}
