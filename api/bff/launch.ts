import { type Client, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { Problem } from '#domain/api/problem.ts';
import { taskQueues, workflowTaskTimeout } from '#temporal.config.ts';
import {
  type InstallResult,
  installResultUpdate,
  type InstallTenantInput,
  type InstallTenantResult,
  installWorkflowId,
} from '#workflows/contracts/install-tenant.ts';
import { type LifecycleInput, lifecycleWorkflowId, lifecycleWorkflowIds } from '#workflows/contracts/lifecycle.ts';
import type { RotateSecretResult } from '#workflows/contracts/rotate-secret.ts';
import { bizStatusAttribute, tenantAttribute } from '#workflows/contracts/search-attributes.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Deadline } from './deadline.ts';

/** The only place that starts the BFF's workflows. Starting the same work a second time joins the first. */
export interface Launcher {
  /** Starts or joins the install, and waits until this revision of the integration is ACTIVE or rejected. */
  install(input: InstallTenantInput, revision: number, deadline: Deadline): Promise<InstallResult>;
  /** Starts the install without waiting. */
  beginInstall(input: InstallTenantInput): Promise<void>;
  rotate(input: LifecycleInput, deadline: Deadline): Promise<RotateSecretResult>;
  beginRotation(input: LifecycleInput): Promise<void>;
  uninstall(input: LifecycleInput, deadline: Deadline): Promise<void>;
  beginUninstall(input: LifecycleInput): Promise<void>;
  registerSlots(input: LifecycleInput): Promise<void>;
  /** Whether a workflow is registering the integration's slots, or waiting to try again when the platform asked it to. */
  isRegistering(tenantIntegrationId: string): Promise<boolean>;
}

type InstallTenant = (input: InstallTenantInput) => Promise<InstallTenantResult>;
type LifecycleType = 'rotateSecret' | 'uninstallTenant' | 'registerSlots';

const summaries: Record<LifecycleType, string> = {
  rotateSecret: 'Rotates the secret of',
  uninstallTenant: 'Uninstalls',
  registerSlots: 'Registers the embedded slots of',
};

const options = (platformTenantId: string, bizStatus: string) => ({
  taskQueue: taskQueues.bff,
  workflowTaskTimeout,
  typedSearchAttributes: new TypedSearchAttributes([
    tenantAttribute(platformTenantId),
    { key: bizStatusAttribute, value: bizStatus },
  ]),
});

function installOptions(input: InstallTenantInput) {
  return {
    ...options(input.platformTenantId, 'PENDING'),
    workflowId: installWorkflowId(input.tenantIntegrationId),
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [input] as [InstallTenantInput],
    staticSummary: `Installs ${input.tenantIntegrationId} for tenant ${input.platformTenantId}`,
    staticDetails: 'Stores the integration at the backend, then registers the embedded slots at the platform.',
  };
}

const isStarted = (error: unknown): boolean => error instanceof WorkflowExecutionAlreadyStartedError;

async function isRegistering(client: Client, id: string): Promise<boolean> {
  // Such an id contains nothing that would have to be quoted.
  const { count } = await client.workflow.count(
    `ExecutionStatus = 'Running' and ((WorkflowType = 'installTenant' and WorkflowId = '${installWorkflowId(id)}')
       or (WorkflowType = 'registerSlots' and WorkflowId starts_with '${lifecycleWorkflowIds(id)}'))`,
  );
  return count > 0;
}

export function createLauncher(client: Client, logger: Logger): Launcher {
  /** A number is used only once: a workflow that completed is not run again under its number. */
  async function startLifecycle(type: LifecycleType, input: LifecycleInput): Promise<string> {
    const workflowId = lifecycleWorkflowId(input.tenantIntegrationId, input.number);
    try {
      await client.workflow.start(type, {
        ...options(input.platformTenantId, 'RUNNING'),
        workflowId,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        args: [input],
        staticSummary: `${summaries[type]} ${input.tenantIntegrationId} (tenant ${input.platformTenantId})`,
      });
    } catch (error) {
      if (!isStarted(error)) throw error;
    }
    return workflowId;
  }

  /**
   * Calls to Temporal also end at the deadline: without a worker, an update would wait forever. If Temporal rejects a
   * call or a workflow fails, the fault is ours, and the caller may retry.
   */
  async function by<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    try {
      return await deadline.guard(client.withDeadline(Date.now() + deadline.left(), work));
    } catch (error) {
      if (error instanceof Problem) throw error;
      logger.warn({ err: error }, 'a lifecycle workflow was not started, or has not responded');
      const detail = 'The call could not be completed at the moment; try again';
      throw new Problem('unavailable', detail, { retryAfterSeconds: 2, cause: error });
    }
  }

  return {
    install: (input, revision, deadline) =>
      by(deadline, () =>
        client.workflow.executeUpdateWithStart(installResultUpdate, {
          args: [{ revision }],
          startWorkflowOperation: new WithStartWorkflowOperation<InstallTenant>('installTenant', installOptions(input)),
        }),
      ),
    beginInstall: async (input) => {
      await client.workflow.start('installTenant', installOptions(input));
    },
    rotate: (input, deadline) =>
      by(deadline, async () => {
        const workflowId = await startLifecycle('rotateSecret', input);
        return client.workflow.getHandle(workflowId).result() as Promise<RotateSecretResult>;
      }),
    beginRotation: async (input) => {
      await startLifecycle('rotateSecret', input);
    },
    uninstall: (input, deadline) =>
      by(deadline, async () => {
        const workflowId = await startLifecycle('uninstallTenant', input);
        await client.workflow.getHandle(workflowId).result();
      }),
    beginUninstall: async (input) => {
      await startLifecycle('uninstallTenant', input);
    },
    registerSlots: async (input) => {
      await startLifecycle('registerSlots', input);
    },
    isRegistering: (id) => isRegistering(client, id),
  };
}
