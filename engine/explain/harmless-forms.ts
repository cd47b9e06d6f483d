/** Formats of settings that no password, no key and no sentence has. */

const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,6}day)?';
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2})?';
const DATE = '\\d{4}-\\d{2}-\\d{2}';
const ZONE = '(?:z|[+-]\\d{2}:?\\d{2})?';
const CRON_FIELD = `(?:[\\d*/,?#-]|(?:mon|tue|wed|thu|fri|sat|sun)|${MONTH}){1,16}`;
const CRON = `${CRON_FIELD}(?: ${CRON_FIELD}){4,6}`;

/** Also under names of free texts. */
const RANGES_AND_SCHEDULES = [
  // everything
  String.raw`\*`,
  // IPv4 and IPv6 ranges
  String.raw`(?:\d{1,3}\.){3}\d{1,3}/\d{1,2}`,
  String.raw`(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}/\d{1,3}`,
  CRON,
  String.raw`cron\(${CRON}\)`,
  String.raw`rate\(\d{1,4} (?:minute|hour|day)s?\)`,
  String.raw`every \d{1,4} (?:min|minute|hour|day)s?`,
  // ISO 8601 durations: P30D, PT1H30M
  String.raw`p(?:\d{1,4}[ymwd]){0,4}(?:t(?:\d{1,6}[hms]){1,3})?`,
].map((form) => new RegExp(`^(?:${form})$`, 'i'));

const FORMS = [
  // sizes, ports, durations and quantities: 30, 15m, 1h30m, 512Mi, 500m, 0.5
  String.raw`\d{1,5}(?:\.\d{1,3})?(?:%|ms|[smhdw]|[munkgtpe]i?b?)?`,
  String.raw`(?:\d{1,5}[smhdw]){2,4}`,
  // ranges and lists of ports and status codes: 200-399, 200,302
  String.raw`\d{1,5}(?:[-,]\d{1,5}){1,8}`,
  // versions, also of managed clusters, and IPv4 addresses
  String.raw`v?\d{1,3}(?:\.\d{1,7}){1,3}(?:-[a-z]{1,12}\.\d{1,9})?`,
  // times of the day, windows of maintenance, dates
  `${CLOCK}(?:-${CLOCK})?`,
  `${DAY}(?::${CLOCK}(?:-${DAY}:${CLOCK})?)?`,
  `${DATE}(?:t${CLOCK}(?:\\.\\d{1,9})?${ZONE})?`,
  // machine classes of AWS, Google Cloud and Azure
  String.raw`(?:db\.|cache\.)?[a-z]{1,3}\d{1,2}[a-z]{0,4}\.(?:nano|micro|small|medium|large|\d{0,2}xlarge|metal)`,
  String.raw`[a-z]\d{1,2}[a-z]?-(?:standard|highmem|highcpu|micro|small|medium|megamem|ultramem)(?:-\d{1,3})?`,
  String.raw`db-(?:custom-\d{1,3}-\d{3,7}|f1-micro|g1-small|n1-[a-z]{1,9}-\d{1,3}|perf-optimized-n-\d{1,3})`,
  String.raw`standard_[a-z]{1,3}\d{1,3}[a-z]{0,4}(?:_v\d)?`,
  // regions and zones of AWS and Google Cloud
  String.raw`(?:us|eu|ap|sa|ca|me|af|il|mx)-(?:gov-)?(?:north|south|east|west|central){1,2}-?\d{1,2}[a-z]?`,
  String.raw`(?:us|europe|asia|africa|me|australia|southamerica|northamerica)-(?:north|south|east|west|central){1,2}\d{1,2}(?:-[a-z])?`,
  // predefined roles of Google Cloud
  String.raw`roles/[a-z]{1,40}(?:\.[a-z]{1,40})?`,
].map((form) => new RegExp(`^(?:${form})$`, 'i'));

/** Whether a text is a size, duration, time, schedule, version, address range, machine class, region or known role. */
export function hasHarmlessForm(text: string): boolean {
  return FORMS.some((form) => form.test(text)) || isRangeOrSchedule(text);
}

/** Whether a text is an address range, a schedule, a duration of ISO 8601 or `*`, whatever its name is. */
export function isRangeOrSchedule(text: string): boolean {
  return RANGES_AND_SCHEDULES.some((form) => form.test(text));
}
