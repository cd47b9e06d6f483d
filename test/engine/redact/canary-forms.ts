/** Built at run time, so that secret scanners do not report this file. */
const fillText = (count: number, letters = 'aB3dE5gH7jK9'): string =>
  letters.repeat(Math.ceil(count / letters.length)).slice(0, count);
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGH23456789';

/** One secret of each kind that a model provider account or a plan may leak. */
export const CANARY_FORMS: [name: string, secret: string][] = [
  ['an OpenAI key', `sk-proj-${fillText(48)}`],
  ['an old OpenAI key', `sk-${fillText(48)}`],
  ['an Anthropic key', `sk-ant-${fillText(95)}`],
  ['a Google API key', `AIza${fillText(35)}`],
  ['a Google access token', `ya29.${fillText(60)}`],
  ['an AWS access key id', `AKIA${fillText(16, UPPER)}`],
  ['an AWS session key id', `ASIA${fillText(16, UPPER)}`],
  ['a GitHub token', `ghp_${fillText(36)}`],
  ['a GitLab token', `glpat-${fillText(24)}`],
  ['a Slack token', `xoxb-${fillText(40)}`],
  ['a Stripe key', `sk_live_${fillText(32)}`],
  ['a Hugging Face token', `hf_${fillText(34)}`],
  ['a Vault token', `hvs.${fillText(40)}`],
  ['a DigitalOcean token', `dop_v1_${fillText(64, HEX)}`],
  ['a JSON Web Token', `eyJ${fillText(40)}.${fillText(80)}.${fillText(43)}`],
  ['a dpa API key', `dpa_${fillText(42)}`],
];
