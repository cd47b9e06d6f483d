/** Put together at run time, so that no scanner takes this file for a leak. */
const of = (count: number, letters = 'aB3dE5gH7jK9'): string =>
  letters.repeat(Math.ceil(count / letters.length)).slice(0, count);
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGH23456789';

/** One secret of each kind that an account of a model provider, or what stands in a plan, may leak. */
export const CANARY_FORMS: [name: string, secret: string][] = [
  ['an OpenAI key', `sk-proj-${of(48)}`],
  ['an old OpenAI key', `sk-${of(48)}`],
  ['an Anthropic key', `sk-ant-${of(95)}`],
  ['a Google API key', `AIza${of(35)}`],
  ['a Google access token', `ya29.${of(60)}`],
  ['an AWS access key id', `AKIA${of(16, UPPER)}`],
  ['an AWS session key id', `ASIA${of(16, UPPER)}`],
  ['a GitHub token', `ghp_${of(36)}`],
  ['a GitLab token', `glpat-${of(24)}`],
  ['a Slack token', `xoxb-${of(40)}`],
  ['a Stripe key', `sk_live_${of(32)}`],
  ['a Hugging Face token', `hf_${of(34)}`],
  ['a Vault token', `hvs.${of(40)}`],
  ['a DigitalOcean token', `dop_v1_${of(64, HEX)}`],
  ['a JSON Web Token', `eyJ${of(40)}.${of(80)}.${of(43)}`],
  ['an API key of ours', `dpa_${of(42)}`],
];
