import { readChanges, writeChanges } from '../../make/plans.ts';
import awsData from './aws-data.txt';
import awsOperations from './aws-operations.txt';
import clusterObjects from './cluster-objects.txt';
import equalValues from './equal-values.txt';
import googleAzure from './google-azure.txt';
import kubernetesDocuments from './kubernetes-documents.txt';
import noiseRelationsOrder from './noise-relations-order.txt';
import serviceSettings from './service-settings.txt';
import services from './services.txt';

const TABLES = [
  awsData,
  awsOperations,
  clusterObjects,
  equalValues,
  googleAzure,
  kubernetesDocuments,
  noiseRelationsOrder,
  serviceSettings,
  services,
];

export function writePlans(folder: string): void {
  writeChanges(folder, TABLES.flatMap(readChanges));
}
