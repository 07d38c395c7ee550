import type { Dispatcher } from 'undici';

/**
 * An interceptor that acts once a request has a connection, right before it is written: until then nothing can have
 * reached the other side.
 * @param act returns false if it aborted the request
 */
export const whenWritten =
  (act: (controller: Dispatcher.DispatchController) => boolean): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (act(controller)) handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });
