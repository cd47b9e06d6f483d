/** Claude has separate profiles for two parts of Asia-Pacific; other vendors have one for the whole region. */
const CLAUDE_PACIFIC: Record<string, string> = {
  'ap-northeast-1': 'jp',
  'ap-northeast-3': 'jp',
  'ap-southeast-2': 'au',
  'ap-southeast-4': 'au',
};
/** `vendor.model`; a profile has one more part in front, and an ARN has colons before any dot. */
const BARE_MODEL = /^[a-z0-9]+\.[a-z0-9-]+(\.[\w-]+)*(:\w+)*$/;
const GEOGRAPHIES = /^(us|us-gov|eu|apac|jp|au|ca|global)\./;

/**
 * The cross-region inference profile of a model for callers in a region; newer models are available only through one.
 * Uses the profile of the region's geography if there is one, otherwise the global profile.
 *
 * @param model `vendor.model`; any other name (a profile, an ARN) is returned unchanged
 * @see Amazon Bedrock user guide, Supported Regions and models for inference profiles
 */
export function inferenceProfile(model: string, region: string): string {
  if (GEOGRAPHIES.test(model) || !BARE_MODEL.test(model)) return model;
  return `${selectGeography(model, region)}.${model}`;
}

function selectGeography(model: string, region: string): string {
  if (region.startsWith('us-gov-')) return 'us-gov';
  if (region.startsWith('us-')) return 'us';
  if (region.startsWith('eu-')) return 'eu';
  if (!region.startsWith('ap-')) return 'global';
  return model.startsWith('anthropic.') ? (CLAUDE_PACIFIC[region] ?? 'global') : 'apac';
}
