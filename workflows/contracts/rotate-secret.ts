export type { LifecycleInput as RotateSecretInput } from './lifecycle.ts';

/** Either both sides have had the new secret since `rotatedAt` (ISO 8601), or neither has it. */
export type RotateSecretResult = { kind: 'committed'; rotatedAt: string } | { kind: 'not_rotated' };
