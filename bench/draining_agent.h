// DrainingAgent: the least that an agent has to do, in a thread of the benchmark itself: take the
// ring and give every sealed chunk back, so that the recorder never finds it full. Keeps nothing.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace latido::bench {

class DrainingAgent {
 public:
  // Listens in a new folder and sets LATIDO_SOCKET. Must be made before the first event.
  DrainingAgent();
  ~DrainingAgent();
  DrainingAgent(const DrainingAgent&) = delete;
  DrainingAgent& operator=(const DrainingAgent&) = delete;

  // While paused the ring runs full. Pausing does not undo what is being given back at this moment.
  void pause(bool paused) { paused_ = paused; }

 private:
  void run();

  std::string folder_;
  int listener_ = -1;
  std::atomic<bool> stop_{false};
  std::atomic<bool> paused_{false};
  std::thread thread_;
};

}  // namespace latido::bench
