import airbyte from './providers/airbyte.json' with { type: 'json' };
import aiven from './providers/aiven.json' with { type: 'json' };
import akamai from './providers/akamai.json' with { type: 'json' };
import alicloud from './providers/alicloud.json' with { type: 'json' };
import argocd from './providers/argocd.json' with { type: 'json' };
import artifactory from './providers/artifactory.json' with { type: 'json' };
import auth0 from './providers/auth0.json' with { type: 'json' };
import aws from './providers/aws.json' with { type: 'json' };
import awsOperations from './providers/aws-operations.json' with { type: 'json' };
import azuread from './providers/azuread.json' with { type: 'json' };
import azuredevops from './providers/azuredevops.json' with { type: 'json' };
import azurerm from './providers/azurerm.json' with { type: 'json' };
import bitbucket from './providers/bitbucket.json' with { type: 'json' };
import boundary from './providers/boundary.json' with { type: 'json' };
import checkly from './providers/checkly.json' with { type: 'json' };
import cloudflare from './providers/cloudflare.json' with { type: 'json' };
import confluent from './providers/confluent.json' with { type: 'json' };
import consul from './providers/consul.json' with { type: 'json' };
import databricks from './providers/databricks.json' with { type: 'json' };
import datadog from './providers/datadog.json' with { type: 'json' };
import digitalocean from './providers/digitalocean.json' with { type: 'json' };
import ec from './providers/ec.json' with { type: 'json' };
import elasticstack from './providers/elasticstack.json' with { type: 'json' };
import fastly from './providers/fastly.json' with { type: 'json' };
import fivetran from './providers/fivetran.json' with { type: 'json' };
import flux from './providers/flux.json' with { type: 'json' };
import github from './providers/github.json' with { type: 'json' };
import gitlab from './providers/gitlab.json' with { type: 'json' };
import google from './providers/google.json' with { type: 'json' };
import grafana from './providers/grafana.json' with { type: 'json' };
import harbor from './providers/harbor.json' with { type: 'json' };
import hcloud from './providers/hcloud.json' with { type: 'json' };
import hcp from './providers/hcp.json' with { type: 'json' };
import honeycombio from './providers/honeycombio.json' with { type: 'json' };
import keycloak from './providers/keycloak.json' with { type: 'json' };
import kubernetes from './providers/kubernetes.json' with { type: 'json' };
import kubernetesMesh from './providers/kubernetes-mesh.json' with { type: 'json' };
import kubernetesOperators from './providers/kubernetes-operators.json' with { type: 'json' };
import kubernetesPods from './providers/kubernetes-pods.json' with { type: 'json' };
import launchdarkly from './providers/launchdarkly.json' with { type: 'json' };
import linode from './providers/linode.json' with { type: 'json' };
import mongodbatlas from './providers/mongodbatlas.json' with { type: 'json' };
import mysql from './providers/mysql.json' with { type: 'json' };
import newrelic from './providers/newrelic.json' with { type: 'json' };
import nomad from './providers/nomad.json' with { type: 'json' };
import oci from './providers/oci.json' with { type: 'json' };
import okta from './providers/okta.json' with { type: 'json' };
import onelogin from './providers/onelogin.json' with { type: 'json' };
import opsgenie from './providers/opsgenie.json' with { type: 'json' };
import ovh from './providers/ovh.json' with { type: 'json' };
import pagerduty from './providers/pagerduty.json' with { type: 'json' };
import postgresql from './providers/postgresql.json' with { type: 'json' };
import rabbitmq from './providers/rabbitmq.json' with { type: 'json' };
import rancher2 from './providers/rancher2.json' with { type: 'json' };
import scaleway from './providers/scaleway.json' with { type: 'json' };
import sentry from './providers/sentry.json' with { type: 'json' };
import signalfx from './providers/signalfx.json' with { type: 'json' };
import sigsci from './providers/sigsci.json' with { type: 'json' };
import snowflake from './providers/snowflake.json' with { type: 'json' };
import spacelift from './providers/spacelift.json' with { type: 'json' };
import splunk from './providers/splunk.json' with { type: 'json' };
import statuspage from './providers/statuspage.json' with { type: 'json' };
import stripe from './providers/stripe.json' with { type: 'json' };
import tailscale from './providers/tailscale.json' with { type: 'json' };
import temporalcloud from './providers/temporalcloud.json' with { type: 'json' };
import tfe from './providers/tfe.json' with { type: 'json' };
import twingate from './providers/twingate.json' with { type: 'json' };
import vault from './providers/vault.json' with { type: 'json' };
import vsphere from './providers/vsphere.json' with { type: 'json' };
import xray from './providers/xray.json' with { type: 'json' };
import zia from './providers/zia.json' with { type: 'json' };
import zpa from './providers/zpa.json' with { type: 'json' };
import type { MoveTable } from './types.ts';

/** Tables of moves by the prefix of resource types. */
export const MOVE_TABLES = {
  airbyte: [airbyte],
  aiven: [aiven],
  akamai: [akamai],
  alicloud: [alicloud],
  argocd: [argocd],
  artifactory: [artifactory],
  auth0: [auth0],
  aws: [aws, awsOperations],
  azuread: [azuread],
  azuredevops: [azuredevops],
  azurerm: [azurerm],
  bitbucket: [bitbucket],
  boundary: [boundary],
  checkly: [checkly],
  cloudflare: [cloudflare],
  confluent: [confluent],
  consul: [consul],
  databricks: [databricks],
  datadog: [datadog],
  digitalocean: [digitalocean],
  ec: [ec],
  elasticstack: [elasticstack],
  fastly: [fastly],
  fivetran: [fivetran],
  flux: [flux],
  github: [github],
  gitlab: [gitlab],
  google: [google],
  grafana: [grafana],
  harbor: [harbor],
  hcloud: [hcloud],
  hcp: [hcp],
  honeycombio: [honeycombio],
  keycloak: [keycloak],
  kubernetes: [kubernetes, kubernetesMesh, kubernetesOperators, kubernetesPods],
  launchdarkly: [launchdarkly],
  linode: [linode],
  mongodbatlas: [mongodbatlas],
  mysql: [mysql],
  newrelic: [newrelic],
  nomad: [nomad],
  oci: [oci],
  okta: [okta],
  onelogin: [onelogin],
  opsgenie: [opsgenie],
  ovh: [ovh],
  pagerduty: [pagerduty],
  postgresql: [postgresql],
  rabbitmq: [rabbitmq],
  rancher2: [rancher2],
  scaleway: [scaleway],
  sentry: [sentry],
  signalfx: [signalfx],
  sigsci: [sigsci],
  snowflake: [snowflake],
  spacelift: [spacelift],
  splunk: [splunk],
  statuspage: [statuspage],
  stripe: [stripe],
  tailscale: [tailscale],
  temporalcloud: [temporalcloud],
  tfe: [tfe],
  twingate: [twingate],
  vault: [vault],
  vsphere: [vsphere],
  xray: [xray],
  zia: [zia],
  zpa: [zpa],
} as Readonly<Record<string, readonly MoveTable[]>>;
