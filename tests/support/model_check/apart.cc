#include "support/model_check/apart.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace entitable::model_check {
namespace {

void WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string ReadAll(int file) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void HideErrors() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

}  // namespace

Apart RunApart(const std::function<void(const Say&)>& work, Errors errors) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    if (errors == Errors::kHidden) HideErrors();
    work([&pipe](std::string_view text) { WriteAll(pipe[1], text); });
    ::_exit(0);
  }
  ::close(pipe[1]);
  Apart apart{.said = ReadAll(pipe[0])};
  ::close(pipe[0]);
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child) {
    apart.has_ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return apart;
}

}  // namespace entitable::model_check
