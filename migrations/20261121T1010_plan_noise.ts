export const up = 'select 1;';
