/** Computed attributes that have another value because the provider read the object again. */
import { noise, twin } from './build-case.ts';

const LINK = 'https://www.googleapis.com/compute';
const [MAY_1, MAY_2] = ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z'];
const view = (more: object = {}) => ({ columns: ['host', 'zone'], refreshed_at: MAY_1, ...more });
const newView = (more: object = {}) => ({ columns: ['host', 'zone'], refreshed_at: MAY_2, ...more });

export const REFRESHED_CASES = [
  noise(
    'etag of an unknown provider',
    'acme_zone',
    { name: 'a', etag: 'W/"131edfbd"' },
    { name: 'a', etag: 'W/"6d323dd7"' },
  ),
  noise(
    'etag and an empty text',
    'github_repository',
    { homepage_url: null, etag: 'W/"131edfbd"' },
    { homepage_url: '', etag: 'W/"6d323dd7"' },
  ),
  noise(
    'fingerprint for the detection of conflicts',
    'google_compute_security_policy',
    { fingerprint: '42WmSpB8rSM=' },
    { fingerprint: 'x9aQkZ1nD0c=' },
  ),
  noise('generation', 'google_cloud_run_v2_service', { generation: '61' }, { generation: '62' }),
  noise(
    'resource version and generation of an object',
    'kubernetes_config_map_v1',
    { metadata: [{ generation: 7, resource_version: '30094783' }] },
    { metadata: [{ generation: 8, resource_version: '30094991' }] },
  ),
  noise(
    'link in another version of the API',
    'google_compute_network',
    { self_link: `${LINK}/v1/projects/a/global/networks/n` },
    { self_link: `${LINK}/beta/projects/a/global/networks/n` },
  ),
  noise('refresh time', 'acme_inventory_view', view(), newView()),
  noise(
    'refresh time and what is measured again',
    'acme_inventory_view',
    view({ checksum: '2eb6', row_count: 412 }),
    newView(),
    { unknown: { checksum: true, row_count: true } },
  ),
  noise('time of the last update', 'acme_project', { updated_at: MAY_1 }, { updated_at: MAY_2 }),

  twin(
    'an etag beside a real change',
    'acme_zone',
    { name: 'a', etag: 'W/"131edfbd"' },
    { name: 'b', etag: 'W/"6d323dd7"' },
  ),
  twin(
    'an etag that stands for the content of an object',
    'aws_s3_object',
    { etag: '131edfbd1c8a860a' },
    { etag: '6d323dd7e7fe9cff' },
  ),
  twin(
    'an etag that stands for the content of a file',
    'acme_config_file',
    { etag: '"131edfbd"' },
    { etag: '"6d323dd7"' },
  ),
  twin('an etag that disappears', 'acme_zone', { etag: 'W/"131edfbd"' }, { etag: null }),
  twin('the fingerprint of a key', 'acme_ssh_key', { fingerprint: 'aa:bb:cc:dd' }, { fingerprint: 'aa:bb:cc:ee' }),
  twin(
    'the fingerprint of a certificate',
    'acme_certificate',
    { fingerprint: '131edfbd' },
    { fingerprint: '6d323dd7' },
  ),
  twin('another id', 'acme_zone', { id: '131edfbd' }, { id: '6d323dd7' }),
  twin(
    'another object of the same name',
    'kubernetes_config_map_v1',
    { metadata: [{ uid: 'a9a0fbb2', resource_version: '1' }] },
    { metadata: [{ uid: 'eb7d2dd6', resource_version: '2' }] },
  ),
  twin(
    'a link to another project',
    'google_compute_network',
    { self_link: `${LINK}/v1/projects/a/global/networks/n` },
    { self_link: `${LINK}/beta/projects/b/global/networks/n` },
  ),
  twin(
    'a link to another host',
    'acme_network',
    { self_link: 'https://api.example.com/v1/n' },
    { self_link: 'https://api.example.net/v2/n' },
  ),
  twin(
    'the version of the source of a function',
    'google_cloudfunctions2_function',
    { build_config: [{ source: [{ storage_source: [{ generation: 1700000001 }] }] }] },
    { build_config: [{ source: [{ storage_source: [{ generation: 1700000002 }] }] }] },
  ),
  twin('an earlier generation', 'acme_zone', { generation: 8 }, { generation: 7 }),
  twin('an earlier refresh', 'acme_inventory_view', newView(), view()),
  twin('other columns are read', 'acme_inventory_view', view(), newView({ columns: ['host'] })),
  twin('a size that is configured', 'acme_pool', view({ node_count: 3 }), newView(), { unknown: { node_count: true } }),
  twin('a measured value without a refresh', 'acme_archive', { checksum: '2eb6' }, {}, { unknown: { checksum: true } }),
  twin('a hash of code', 'acme_function', view({ source_hash: '2eb6' }), newView(), { unknown: { source_hash: true } }),
  twin('a time that is configured', 'acme_maintenance', { starts_at: MAY_1 }, { starts_at: MAY_2 }),
  twin(
    'a version of a secret',
    'acme_secret',
    { generation: 7, etag: '"131edfbd"' },
    { generation: 8, etag: '"6d323dd7"' },
  ),
];
