/** Ports for administration and databases. */
export const MANAGEMENT_PORTS: readonly number[] = [
  22, 23, 445, 1433, 1521, 2375, 3306, 3389, 5432, 5900, 5984, 6379, 6443, 9200, 11211, 27017,
];

/** Returns true for a port for administration or a database. */
export function isManagementPort(port: number): boolean {
  return MANAGEMENT_PORTS.includes(port);
}
