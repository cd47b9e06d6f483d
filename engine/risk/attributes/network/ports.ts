/** Ports through which hosts and databases are administered. */
export const MANAGEMENT_PORTS: readonly number[] = [
  22, 23, 445, 1433, 1521, 2375, 3306, 3389, 5432, 5900, 5984, 6379, 6443, 9200, 11211, 27017,
];

/** True for a port of a database, or one through which hosts are administered. */
export function isManagementPort(port: number): boolean {
  return MANAGEMENT_PORTS.includes(port);
}
