import { computed, type Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { orderCodes } from '#domain/orders/codes.ts';
import { OrderProblem } from '#web/api/http/order-problem.ts';
import { ApiProblem, type ApiProblemCode } from '#web/api/http/problem.ts';

const kinds: Record<number, ApiProblemCode> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'invalid_state',
  412: 'stale',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
};

/** Errors of the order service with labels, in the form in which every page shows problems. */
export function useOrderProblem(): (error: unknown) => unknown {
  const { t } = useI18n();
  return (error) => {
    if (!(error instanceof OrderProblem)) return error;
    const { status } = orderCodes[error.code];
    return new ApiProblem({
      code: kinds[status] ?? 'internal',
      status,
      detail: '',
      words: t('orders.refusal', { code: error.code, words: t(`orders.code.${error.code}`) }),
      requestId: error.requestId,
      errors: error.errors,
      cause: error,
    });
  };
}

/** A query of the order service whose error has labels, as lists and pages show it. */
export function useOrderQuery<Query extends { error: Readonly<Ref<unknown>> }>(query: Query) {
  const problem = useOrderProblem();
  return { ...query, error: computed(() => problem(query.error.value)) };
}
