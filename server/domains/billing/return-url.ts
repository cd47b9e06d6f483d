/** The page to which a person returns from the provider; by default the billing settings. */
export function buildReturnUrl(
  app_url: string | null,
  slug: string,
  return_path = `/orgs/${slug}/settings/billing`,
): string {
  return `${app_url ?? ''}${return_path}`;
}
