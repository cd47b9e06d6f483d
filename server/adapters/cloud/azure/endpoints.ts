/** Where one cloud of Azure is: base URLs without a trailing slash, and names that its tokens contain. */
export interface AzureEndpoints {
  /** Microsoft Entra ID. */
  login: string;
  /** Azure Resource Manager and Resource Graph. */
  management: string;
  /** Scope of tokens for Resource Manager. */
  management_scope: string;
  /** Audience of tokens that the service signs for federated credentials. */
  federation_audience: string;
}

export type AzureCloud = 'public' | 'us_government' | 'china';

/** @see Microsoft, National clouds; the audiences are those of federated identity credentials */
export const AZURE_CLOUDS: Readonly<Record<AzureCloud, AzureEndpoints>> = {
  public: {
    login: 'https://login.microsoftonline.com',
    management: 'https://management.azure.com',
    management_scope: 'https://management.azure.com/.default',
    federation_audience: 'api://AzureADTokenExchange',
  },
  us_government: {
    login: 'https://login.microsoftonline.us',
    management: 'https://management.usgovcloudapi.net',
    management_scope: 'https://management.usgovcloudapi.net/.default',
    federation_audience: 'api://AzureADTokenExchangeUSGov',
  },
  china: {
    login: 'https://login.partner.microsoftonline.cn',
    management: 'https://management.chinacloudapi.cn',
    management_scope: 'https://management.chinacloudapi.cn/.default',
    federation_audience: 'api://AzureADTokenExchangeChina',
  },
};
