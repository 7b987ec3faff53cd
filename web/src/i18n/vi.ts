import type { Words } from './en';

export const words: Words = {};
