/** Arguments of one resource that leave no room together. */
import type { JsonObject } from '../../../model/result.ts';
import { at, member, quantity, text } from '../../attributes/values.ts';
import { type SelfFit, versions } from './types.ts';

const NO_ROOM = 'no instance may be missing and none may be added, so deployments cannot make progress';

const isZero = (value: JsonObject[string] | undefined): boolean => /^0%?$/.test(text(value));

export const SELF_FITS: readonly SelfFit[] = [
  {
    types: ['aws_ecs_service'],
    paths: ['deployment_maximum_percent', 'deployment_minimum_healthy_percent'],
    breaks: (side) =>
      /^(?:ECS)?$/.test(text(at(side, 'deployment_controller', 'type'))) &&
      (quantity(member(side, 'deployment_maximum_percent')) ?? 200) <= 100 &&
      (quantity(member(side, 'deployment_minimum_healthy_percent')) ?? 100) >= 100,
    level: 'medium',
    says: NO_ROOM,
  },
  {
    types: versions('kubernetes_deployment'),
    paths: ['spec'],
    breaks: (side) => {
      const room = at(side, 'spec', 'strategy', 'rolling_update');
      return isZero(at(room, 'max_surge')) && isZero(at(room, 'max_unavailable'));
    },
    level: 'medium',
    says: NO_ROOM,
  },
  {
    types: ['google_compute_instance_group_manager', 'google_compute_region_instance_group_manager'],
    paths: ['update_policy'],
    breaks: (side) => {
      const policy = at(side, 'update_policy');
      return isZero(at(policy, 'max_surge_fixed')) && isZero(at(policy, 'max_unavailable_fixed'));
    },
    level: 'medium',
    says: NO_ROOM,
  },
  {
    types: ['aws_autoscaling_group'],
    paths: ['instance_maintenance_policy'],
    breaks: (side) => {
      const policy = at(side, 'instance_maintenance_policy');
      return (
        (quantity(at(policy, 'min_healthy_percentage')) ?? 0) >= 100 &&
        quantity(at(policy, 'max_healthy_percentage')) === 100
      );
    },
    level: 'medium',
    says: NO_ROOM,
  },
  {
    types: ['aws_cloudwatch_metric_alarm'],
    paths: ['datapoints_to_alarm', 'evaluation_periods'],
    breaks: (side) =>
      (quantity(member(side, 'datapoints_to_alarm')) ?? 0) >
      (quantity(member(side, 'evaluation_periods')) ?? Number.POSITIVE_INFINITY),
    level: 'high',
    says: 'the alarm needs more data points than it looks at, so it never fires',
  },
  {
    types: ['kafka_topic', 'confluent_kafka_topic', 'aiven_kafka_topic', 'digitalocean_database_kafka_topic'],
    paths: ['config', 'replication_factor', 'replication'],
    breaks: (side) => {
      const config = at(side, 'config');
      const least = quantity(at(config, 'min.insync.replicas') ?? at(config, 'min_insync_replicas'));
      const copies = quantity(member(side, 'replication_factor') ?? member(side, 'replication'));
      return least !== undefined && copies !== undefined && copies > 1 && least >= copies;
    },
    level: 'high',
    says: 'every replica must confirm a write, so writes stop as soon as one broker is down',
  },
  {
    types: ['aws_db_instance'],
    paths: ['max_allocated_storage', 'allocated_storage'],
    breaks: (side) => {
      const most = quantity(member(side, 'max_allocated_storage')) ?? 0;
      return most > 0 && most <= (quantity(member(side, 'allocated_storage')) ?? 0);
    },
    level: 'medium',
    says: 'storage cannot grow any more, so the database stops when it is full',
  },
  {
    types: versions('kubernetes_horizontal_pod_autoscaler'),
    paths: ['spec'],
    breaks: (side) => {
      const spec = at(side, 'spec');
      const [least, most] = [quantity(at(spec, 'min_replicas')), quantity(at(spec, 'max_replicas'))];
      return least !== undefined && most !== undefined && least >= most && most <= 2;
    },
    level: 'medium',
    says: 'the number of pods is fixed, so load cannot add any',
  },
];
