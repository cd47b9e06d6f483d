/** A mistake in the labels, the pairs or the options. The message says where it is and what to do. */
export class ScoreError extends Error {}
