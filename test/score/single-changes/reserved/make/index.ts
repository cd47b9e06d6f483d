import { readChanges, writeChanges } from '../../make/plans.ts';
import awsData from './aws-data.txt';
import awsOperations from './aws-operations.txt';
import awsSample1 from './aws-sample-1.txt';
import awsSample2 from './aws-sample-2.txt';
import awsSample3 from './aws-sample-3.txt';
import clusterObjects from './cluster-objects.txt';
import equalValues from './equal-values.txt';
import googleAzure from './google-azure.txt';
import googleAzure2 from './google-azure-2.txt';
import kubernetesDocuments from './kubernetes-documents.txt';
import noiseRelationsOrder from './noise-relations-order.txt';
import planShapes from './plan-shapes.txt';
import serviceSettings from './service-settings.txt';
import services from './services.txt';

const TABLES = [
  ...[awsData, awsOperations, awsSample1, awsSample2, awsSample3, googleAzure, googleAzure2],
  ...[clusterObjects, equalValues, kubernetesDocuments, noiseRelationsOrder, planShapes, serviceSettings, services],
];

export function writePlans(folder: string): void {
  writeChanges(folder, TABLES.flatMap(readChanges));
}
