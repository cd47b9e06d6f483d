/**
 * Words that plans use everywhere. If one of them is a secret, it is withheld only at its own place: removing it from
 * every path, type and text would make the result unreadable and would not protect anything.
 */
const WORDS: ReadonlySet<string> = new Set(
  `access account active address admin administrator administrators allow allowed always amazon analytics anonymous
  application applications archive attribute attributes audit automatic automation available azurerm backend background
  backup backups balanced basic billing bucket central changed changeme client cloud cluster clusters compute config
  configuration connection container containers content control controller create created custom customer dashboard
  database databases deferred delete deleted denied deploy deployer deployment description destination destroy
  developer developers development disable disabled dynamic elastic elasticsearch email enable enabled encrypted
  encryption endpoint endpoints enterprise environment environments example external false file files firewall
  forwarding frontend function functions gateway general generic github gitlab global google grafana group groups guest
  health hidden identity ignore immutable inactive info ingress instance instances integration internal internet
  inventory jenkins keycloak kubernetes lambda latest limited linux listener local localhost location logging machine
  main managed manager manual mariadb master member memory message metadata metrics migration minimal modified module
  monitor monitoring mongodb mysql namespace network networks nginx never nobody node nodes none normal notification
  null object objects operator optional oracle organization outputs owner package partner password passwords path
  permission permissions pipeline placeholder platform policies policy pool port postgres postgresql premium prepaid
  preview primary private processing prod production profile project projects prometheus protocol provider provisioned
  proxy public query queue rabbitmq reader readonly readwrite receiver record records redis region registry release
  remote replica replication repository request required reserved resource resources response restricted retained role
  root router running runtime sandbox scheduled schema secondary secret secrets security sensitive server serverless
  servers service services session settings shared single snapshot sqlserver stable staging standard standby start
  started state static status stopped storage stream string subnet subnets subscription success superuser support
  system target template temporary tenant terraform test testing tester token tokens traffic true ubuntu undefined
  unknown unlimited update updated upstream username users value values variable version versioned viewer virtual volume
  warning web webhook website windows worker workers workflow workspace writer yesterday
  ap-south asia australia australiaeast australiasoutheast brazilsouth canadacentral canadaeast centralindia centralus
  eastasia eastus eastus2 europe francecentral germanywestcentral japaneast japanwest koreacentral northcentralus
  northeurope norwayeast polandcentral qatarcentral southafricanorth southcentralus southeastasia southindia
  swedencentral switzerlandnorth uaenorth uksouth ukwest us-east us-west westcentralus westeurope westindia westus
  westus2 westus3 0.0.0.0/0 127.0.0.1 amazonaws.com localhost.localdomain`.split(/\s+/),
);
/** `eu-central-1`, `us-gov-west-1b`, `europe-west4-a` */
const REGION =
  /^[a-z]{2,12}(?:-[a-z]{2,6})?-(?:north|south|east|west|central|northeast|northwest|southeast|southwest)-?\d{1,2}(?:-?[a-f])?$/;
/** A resource type or another schema name, such as `aws_db_instance`. */
const SCHEMA_NAME = /^(?:aws|azurerm|azuread|google|kubernetes|helm|random|null|tls|local|time)_[a-z0-9_]{1,80}$/;
const VERSION = /^v?\d{1,5}(?:\.\d{1,5}){0,3}$/;
/** Below this length, a text that is a plain word or number is too common to be removed everywhere. */
const DISTINCT_LENGTH = 8;

/**
 * Whether a text is so common that it says nothing as a secret: a word of configurations, a region, a short version, a
 * resource type, or less than eight characters of one kind (only letters of one case, or only digits).
 */
export function isCommonWord(text: string): boolean {
  const word = text.trim();
  if (WORDS.has(word.toLowerCase())) return true;
  if (word.length < DISTINCT_LENGTH && /^(?:[A-Z]?[a-z]*|[A-Z]*|[^A-Za-z]*)$/.test(word)) return true;
  return REGION.test(word) || (word.length < DISTINCT_LENGTH && VERSION.test(word)) || SCHEMA_NAME.test(word);
}
