import type { Template } from '../types.ts';
import { AWS_DATA } from './aws-data.ts';
import { AWS_REACH } from './aws-reach.ts';
import { AWS_WORK } from './aws-work.ts';
import { AZURERM } from './azurerm.ts';
import { GOOGLE } from './google.ts';
import { OTHERS } from './others.ts';

export const TEMPLATES: Record<string, Template> = {
  ...AWS_DATA,
  ...AWS_REACH,
  ...AWS_WORK,
  ...GOOGLE,
  ...AZURERM,
  ...OTHERS,
};
