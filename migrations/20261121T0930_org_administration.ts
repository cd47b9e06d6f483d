export const up = /* sql */ `select 1;`;
