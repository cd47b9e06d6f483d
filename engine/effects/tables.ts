import auth0 from './data/auth0.json' with { type: 'json' };
import aws from './data/aws.json' with { type: 'json' };
import azuread from './data/azuread.json' with { type: 'json' };
import azurerm from './data/azurerm.json' with { type: 'json' };
import cloudflare from './data/cloudflare.json' with { type: 'json' };
import confluent from './data/confluent.json' with { type: 'json' };
import databricks from './data/databricks.json' with { type: 'json' };
import datadog from './data/datadog.json' with { type: 'json' };
import digitalocean from './data/digitalocean.json' with { type: 'json' };
import fastly from './data/fastly.json' with { type: 'json' };
import github from './data/github.json' with { type: 'json' };
import gitlab from './data/gitlab.json' with { type: 'json' };
import google from './data/google.json' with { type: 'json' };
import helm from './data/helm.json' with { type: 'json' };
import keycloak from './data/keycloak.json' with { type: 'json' };
import kubernetes from './data/kubernetes.json' with { type: 'json' };
import mongodbatlas from './data/mongodbatlas.json' with { type: 'json' };
import newrelic from './data/newrelic.json' with { type: 'json' };
import okta from './data/okta.json' with { type: 'json' };
import pagerduty from './data/pagerduty.json' with { type: 'json' };
import postgresql from './data/postgresql.json' with { type: 'json' };
import snowflake from './data/snowflake.json' with { type: 'json' };
import tfe from './data/tfe.json' with { type: 'json' };
import vault from './data/vault.json' with { type: 'json' };
import type { EffectTable } from './table.ts';

/** Tables by prefix of resource types. */
export const TABLES: Readonly<Record<string, EffectTable>> = {
  auth0,
  aws,
  azuread,
  azurerm,
  cloudflare,
  confluent,
  databricks,
  datadog,
  digitalocean,
  fastly,
  github,
  gitlab,
  google,
  helm,
  keycloak,
  kubernetes,
  mongodbatlas,
  newrelic,
  okta,
  pagerduty,
  postgresql,
  snowflake,
  tfe,
  vault,
};
